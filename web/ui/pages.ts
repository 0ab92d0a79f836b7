// The pages that a file is not opened with: one part of the bundle, loaded when the first of them is.
export { AllMetrics } from "./allmetrics";
export { Compare } from "./compare";
export { Flame } from "./flame";
export { Occupancy } from "./occupancy";
export { TraceOverview } from "./overviewtrace";
export { Plain } from "./plainpage";
export { Ranks } from "./ranks";
export { Source } from "./source";
export { SQL } from "./sql";
export { Stats } from "./stats";
export { Timeline } from "./timeline";
