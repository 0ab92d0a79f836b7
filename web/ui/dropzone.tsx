import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { toast } from "./parts";
import { fileTitle } from "./names";

// DropZone takes files that are dropped anywhere on the window: one half opens them,
// the other compares with what is shown.
export function DropZone({
  opened,
  file,
  failed,
}: {
  opened: (f: api.File, compare?: boolean) => void;
  file?: api.File;
  failed: (e: Error) => void;
}) {
  const [over, setOver] = useState<"" | "open" | "compare">(""),
    both = !!file && !file.error;
  useEffect(() => {
    const files = (e: DragEvent) => !!e.dataTransfer?.types.includes("Files");
    const half = (e: DragEvent) => (both && e.clientX > innerWidth / 2 ? "compare" : "open");
    const drag = (e: DragEvent) => {
      if (!files(e)) return;
      e.preventDefault();
      setOver(half(e));
    };
    const leave = (e: DragEvent) => {
      if (!e.relatedTarget) setOver("");
    };
    const drop = async (e: DragEvent) => {
      if (!files(e)) return;
      e.preventDefault();
      setOver("");
      const compare = half(e) === "compare" && e.isTrusted;
      for (const f of Array.from(e.dataTransfer?.files ?? [])) {
        toast(`Opening ${f.name}…`);
        try {
          opened(await api.upload(f), compare);
        } catch (x) {
          failed(x instanceof Error ? x : new Error(String(x)));
        }
      }
    };
    addEventListener("dragover", drag);
    addEventListener("dragenter", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragenter", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  });
  if (!over) return null;
  return (
    <div class={"drop" + (both ? "" : " one")}>
      <div class={over === "open" ? "over" : ""}>Open here</div>
      {both && <div class={over === "compare" ? "over" : ""}>Compare with {fileTitle(file!.name).name}</div>}
    </div>
  );
}
