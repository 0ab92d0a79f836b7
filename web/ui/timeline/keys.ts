// keys are those of the timeline, for the help.
export const keys: [string, string][] = [
  ["w s", "zoom, as do Ctrl and the wheel"],
  ["a d ← →", "pan, as does Shift and dragging"],
  ["f 0", "fit what is chosen, all"],
  [". ,", "next and previous slice of the row"],
  ["/", "search slices by a regular expression"],
  ["n N", "next and previous match"],
  ["p", "pin the track that has the focus"],
  ["Alt ↑ ↓", "move it among its group"],
  ["Esc", "clear"],
];
