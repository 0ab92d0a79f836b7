import type { Document } from "./document";
import { Page } from "./page";
export function Flame({ document: d }: { document: Document; options: Record<string, string> }) { return <Page document={d} bases={[]} />; }
