// The pages of timelines but the timeline itself, and those that show a Document as it is.
export { Flame } from "./flame";
export { Plain } from "./plainpage";
export { Ranks } from "./ranks";
export { Stats } from "./stats";
export { TraceOverview } from "./overviewtrace";
