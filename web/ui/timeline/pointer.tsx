import { useEffect, useRef } from "preact/hooks";
import type { Chart, Spot } from "./chart";
import { type Line, path } from "./layout";
import { type Slice, type Source, time } from "./model";

export interface Hover {
  x: number;
  y: number;
  spot: Spot | null;
  sample: string;
  slice: Slice | null;
  line: Line;
}

// Card tells of what lies under the pointer.
export function Card({ source, hover: h }: { source: Source; hover: Hover }) {
  const s = h.spot,
    left = `${Math.max(4, h.x + 14)}px`,
    top = `${h.y + 16}px`;
  if (!s)
    return (
      <div class="tl-card" role="tooltip" style={{ left, top }}>
        <b>{source.tracks[h.line.track].name}</b> {h.sample}
      </div>
    );
  const one = !!s.items.one[s.i];
  return (
    <div class="tl-card" role="tooltip" style={{ left, top }}>
      <b>{one ? s.name : `${s.items.value[s.i]} slices`}</b>
      <div>
        {one
          ? h.slice
            ? time(h.slice.end - h.slice.start)
            : `about ${time(s.end - s.start)}`
          : `busy ${Math.round(s.items.density[s.i] / 2.55)} % of ${time(s.end - s.start)}, longest: ${s.name}`}
      </div>
      <div>
        {time(h.slice?.start ?? s.start)} · {path(source, s.line.track)}
      </div>
    </div>
  );
}

// usePointer makes dragging, wheel and hovering of the canvas.
export function usePointer(
  chart: { current?: Chart },
  source: Source,
  setHover: (h: Hover | null) => void,
  choose: (w: { a: number; b: number } | null) => void,
  click: (id: number) => void,
) {
  const drag = useRef<{ x: number; at: number; pan: boolean; far: boolean } | null>(null),
    timer = useRef(0);
  useEffect(() => {
    // not passive, so that the page is not zoomed too
    const c = chart.current!;
    const wheel = (e: WheelEvent) => {
      if (e.ctrlKey || e.metaKey) {
        e.preventDefault();
        c.zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 200))), e.offsetX);
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault();
        c.pan((e.deltaX || e.deltaY) / Math.max(1, c.wide));
      }
    };
    c.canvas.addEventListener("wheel", wheel, { passive: false });
    return () => c.canvas.removeEventListener("wheel", wheel);
  }, [source]);
  const hover = (c: Chart, x: number, y: number) => {
    const spot = c.pick(x, y),
      line = c.line(y),
      v = line && c.sample(line.track, c.time(x)),
      px = c.canvas.offsetLeft + Math.min(x, c.wide - 260);
    clearTimeout(timer.current);
    if (!line || (!spot && !v)) {
      setHover(null);
      return;
    }
    const h: Hover = {
      x: px,
      y,
      spot,
      line,
      slice: null,
      sample: v ? (v.min === v.max ? `${v.mean}` : `${+v.mean.toPrecision(6)} (${v.min} to ${v.max})`) : "",
    };
    setHover(h);
    if (spot && spot.items.one[spot.i])
      timer.current = window.setTimeout(
        () =>
          source.slice(spot.items.value[spot.i]).then(
            slice => setHover({ ...h, slice }),
            () => {},
          ),
        120,
      );
  };
  return {
    onPointerDown: (e: PointerEvent) => {
      const c = chart.current!;
      if (e.button !== 0 && e.button !== 1) return;
      drag.current = { x: e.offsetX, at: c.time(e.offsetX), pan: e.shiftKey || e.button === 1, far: false };
      c.canvas.setPointerCapture(e.pointerId);
    },
    onPointerMove: (e: PointerEvent) => {
      const c = chart.current!,
        d = drag.current;
      if (!d) {
        hover(c, e.offsetX, e.offsetY);
        return;
      }
      if (Math.abs(e.offsetX - d.x) > 3) d.far = true;
      if (!d.far) return;
      const t = c.time(e.offsetX);
      if (d.pan) {
        c.show(c.win.a + d.at - t, c.win.b + d.at - t);
        return;
      }
      c.chosen = { a: Math.max(0, Math.min(d.at, t)), b: Math.max(d.at, t) };
      c.paint();
    },
    onPointerUp: (e: PointerEvent) => {
      const c = chart.current!,
        d = drag.current,
        t = c.time(e.offsetX);
      drag.current = null;
      if (!d || d.pan) return;
      if (d.far) {
        const a = Math.max(0, Math.round(Math.min(d.at, t)));
        choose({ a, b: Math.max(a + 1, Math.round(Math.max(d.at, t))) });
        return;
      }
      const s = c.pick(e.offsetX, e.offsetY);
      if (s && !s.items.one[s.i]) {
        const room = Math.max(10, s.end - s.start) * 0.2;
        c.show(s.start - room, s.end + room);
      } // several: look closer
      else click(s ? s.items.value[s.i] : -1);
    },
    onPointerLeave: () => {
      clearTimeout(timer.current);
      setHover(null);
    },
  };
}
