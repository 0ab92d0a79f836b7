// keys are those of the timeline, for the help.
export const keys: [string, string][] = [
  ["w s", "zoom, as do Ctrl and the wheel"],
  ["a d ← →", "pan, as does Shift and dragging"],
  ["f 0", "fit what is chosen, all"],
  [". ,", "next and previous slice of the row"],
  ["/", "search slices by a regular expression"],
  ["n N", "next and previous match"],
  ["m", "measure: drags stick to the edges of slices"],
  ["c", "note at the chosen slice or the middle"],
  ["r", "the chosen slice becomes the area"],
  ["p", "pin the track that has the focus"],
  ["q", "drawer"],
  ["Alt ↑ ↓", "move a track among its group"],
  ["Esc", "clear"],
];
