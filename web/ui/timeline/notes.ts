import { useEffect, useMemo, useState } from "preact/hooks";
import * as api from "../api";
import { set } from "../state";
import type { Mark } from "./draw";

const parse = (s: string | undefined): Mark[] =>
  (s ?? "")
    .split("|")
    .filter(Boolean)
    .map(n => ({ at: Number(n.split("~")[0]), text: decodeURIComponent(n.split("~").slice(1).join("~")) }))
    .filter(n => Number.isFinite(n.at));
const print = (ns: Mark[]): string => ns.map(n => `${n.at}~${encodeURIComponent(n.text)}`).join("|");

export interface Kept {
  notes: Mark[]; // in the order of time
  put: (notes: Mark[]) => void;
  where: string; // where they are kept
  lost: string; // why they are not in their file
}

// useNotes are the flags of a timeline: those of the file beside it, and those that the address brings.
export function useNotes(file: string, address: string | undefined): Kept {
  const [kept, keep] = useState<api.Notes>({ file: "", notes: [] }),
    [lost, lose] = useState("");
  const got = (n: api.Notes) => {
      keep(n);
      lose("");
    },
    failed = (e: Error) => lose(e.message);
  useEffect(() => {
    let live = true;
    api.notes(file).then(
      n => live && got(n),
      e => live && failed(e),
    );
    return () => {
      live = false;
    };
  }, [file]);
  const notes = useMemo(() => {
    const all = new Map([...kept.notes, ...parse(address)].map(n => [`${n.at}~${n.text}`, n]));
    return [...all.values()].sort((a, b) => a.at - b.at);
  }, [kept, address]);
  return {
    notes,
    put: next => {
      const all = next.map(n => ({ at: Math.round(n.at), text: n.text }));
      set({ notes: print(all) }, false);
      if (!api.saved) api.keepNotes(file, all).then(got, failed);
    },
    where: kept.file,
    lost,
  };
}
