import { ruler } from "./draw";
import { type Layout, type Line, moved, path, position } from "./layout";
import type { Source } from "./model";

const mime = "text/x-gpuprof-track";

// Names are the names of the tracks beside the canvas: they close, pin and move.
export function Names({
  source,
  places,
  scroll,
  shut,
  pins,
  order,
  shape,
}: {
  source: Source;
  places: Layout;
  scroll: number;
  shut: Set<string>;
  pins: Set<string>;
  order: string[];
  shape: (change: { shut?: string; pins?: string; order?: string }) => void;
}) {
  const flip = (of: Set<string>, key: string) => {
    const n = new Set(of);
    n.has(key) ? n.delete(key) : n.add(key);
    return [...n].join("|");
  };
  const to = (track: number, place: number) => shape({ order: moved(source, order, track, place).join("|") });
  const drop = (e: DragEvent, l: Line) => {
    const from = e.dataTransfer?.getData(mime);
    if (!from || l.pinned || source.tracks[+from]?.parent !== source.tracks[l.track].parent) return;
    e.preventDefault();
    to(+from, position(source, order, l.track));
  };
  const name = (l: Line) => {
    const t = source.tracks[l.track],
      y = ruler + (l.pinned ? l.y : places.pinnedHeight + l.y - scroll);
    if (y > 4000 || (!l.pinned && y + l.height < ruler + places.pinnedHeight)) return null;
    const close = () => shape({ shut: flip(shut, t.key) }),
      pin = () => shape({ pins: flip(pins, t.key) });
    const by = (n: number) => {
      const at = position(source, order, l.track) + n;
      if (at >= 0) to(l.track, at);
    };
    const keys: Record<string, () => void> = {
      ArrowLeft: () => l.shut || close(),
      ArrowRight: () => l.shut && close(),
      Enter: close,
      p: () => l.group || pin(),
    };
    const key = (e: KeyboardEvent) => {
      if (e.target !== e.currentTarget) return;
      const does = e.altKey
        ? ({ ArrowUp: () => by(-1), ArrowDown: () => by(1) } as Record<string, () => void>)[e.key]
        : keys[e.key];
      if (does) {
        e.preventDefault();
        does();
      }
    };
    return (
      <div
        key={(l.pinned ? "pinned " : "") + t.key}
        role="treeitem"
        tabIndex={0}
        aria-level={l.level + 1}
        aria-expanded={!l.shut}
        data-track={l.track}
        class={"tl-name" + (l.pinned ? " pinned" : "")}
        title={path(source, l.track)}
        style={{ top: `${y}px`, height: `${l.height}px`, paddingLeft: `${l.level * 12 + 2}px` }}
        onKeyDown={key}
        draggable={!l.pinned}
        onDragStart={e => e.dataTransfer?.setData(mime, String(l.track))}
        onDragOver={e => e.preventDefault()}
        onDrop={e => drop(e, l)}
      >
        <button class="link" tabIndex={-1} aria-label={(l.shut ? "Open " : "Close ") + t.name} onClick={close}>
          {l.shut ? "▸" : "▾"}
        </button>
        <span>{l.pinned ? path(source, l.track) : t.name}</span>
        {t.kind === "counter" && <small>{t.max}</small>}
        {!l.pinned && (
          <>
            <button class="link tl-move" tabIndex={-1} aria-label={"Move up " + t.name} onClick={() => by(-1)}>
              ↑
            </button>
            <button class="link tl-move" tabIndex={-1} aria-label={"Move down " + t.name} onClick={() => by(1)}>
              ↓
            </button>
          </>
        )}
        {!l.group && (
          <button
            class="link"
            tabIndex={-1}
            aria-label={(pins.has(t.key) ? "Unpin " : "Pin ") + t.name}
            aria-pressed={pins.has(t.key)}
            onClick={pin}
          >
            {pins.has(t.key) ? "★" : "☆"}
          </button>
        )}
      </div>
    );
  };
  return (
    <div class="tl-names" role="tree" aria-label="Tracks">
      {places.lines.map(name)}
      {places.pinned.map(name)}
      <div class="tl-corner" />
    </div>
  );
}
