import type { File } from "../api";

// Timeline shows what happened when.
export function Timeline({ file }: { file: File }) {
  return <p class="empty">The timeline of {file.name} is not drawn yet; Stats and SQL show what is in it.</p>;
}
