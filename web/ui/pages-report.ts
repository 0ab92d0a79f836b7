// The pages of reports of launches: one part of the bundle, as who opens one mostly opens the others.
export { AllMetrics } from "./allmetrics";
export { Compare } from "./compare";
export { Details } from "./details";
export { Occupancy } from "./occupancy";
export { Overview } from "./overview";
export { Source } from "./source";
