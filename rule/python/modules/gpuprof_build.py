"""Builds a wheel of ncu_report for pip: a PEP 517 backend of one file."""

import base64
import hashlib
import os
import zipfile

NAME, VERSION = "gpuprof_ncu_report", "0.1"
MODULES = ["ncu_occupancy", "ncu_report", "gpuprof_nvtx", "gpuprof_report", "gpuprof_results", "gpuprof_values", "gpuprof_wire"]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Write a wheel into a folder and return its name."""
    here, info = os.path.dirname(os.path.abspath(__file__)), "{}-{}.dist-info/".format(NAME, VERSION)
    files = {}
    for m in MODULES:
        with open(os.path.join(here, m + ".py"), "rb") as f:
            files[m + ".py"] = f.read()
    files[info + "METADATA"] = (
        "Metadata-Version: 2.1\nName: gpuprof-ncu-report\nVersion: {}\nRequires-Python: >=3.6\nLicense: Apache-2.0\n".format(VERSION)
    ).encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: gpuprof\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        record += "{},sha256={},{}\n".format(name, digest, len(text))
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    wheel = "{}-{}-py3-none-any.whl".format(NAME, VERSION)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in files.items():
            z.writestr(name, text)
    return wheel
