import { icons } from "./icons";

export type IconName = keyof typeof icons;

// Icon is a picture of Lucide; what it means is said beside it, or by the button around it.
export function Icon({ name, size = "" }: { name: IconName; size?: "" | "s" | "xs" }) {
  return (
    <svg
      class={("i " + size).trim()}
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: icons[name] }}
    />
  );
}

interface ButtonProps {
  icon: IconName;
  label: string;
  size?: "" | "s" | "xs";
  class?: string;
  tabIndex?: number;
  disabled?: boolean;
  onClick?: (e: MouseEvent & { currentTarget: HTMLButtonElement }) => void;
  "aria-pressed"?: boolean;
  "aria-expanded"?: boolean;
}

// IconButton is a button that shows a picture only; its label is its name and what is said of it.
export function IconButton({ icon, label, size = "", class: more = "", ...rest }: ButtonProps) {
  return (
    <button type="button" class={("ib " + more).trim()} aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={size} />
    </button>
  );
}
