import NvRules


def get_identifier():
    return "Parent"


def apply(handle):
    NvRules.get_context(handle).frontend().send_dict_to_children({"x": 4})
    NvRules.get_context(handle).controller().get_message_vault().Put("Parent", {"v": 0.5})
