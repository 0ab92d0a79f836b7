// What rules say, wherever it stands.
import { column, inRole, type Message, type Section, type Table } from "./document";
import { metricOf, reason, titled } from "./finding";
import { Icon } from "./icon";
import { clean } from "./names";
import { raw, say, time } from "./num";
import { href, set } from "./state";
import { Grid } from "./table";

// Titles that stand in the outline: those of NVIDIA's sections are long.
const shorter: [RegExp, string][] = [
  [/^GPU Speed Of Light Throughput$/, "Speed of light"],
  [/^GPU Speed Of Light /, ""],
  [/^PM Sampling: /, ""],
  [/^PM Sampling$/, "Over time"],
  [/ Workload Analysis/, ""],
  [/^Warp State Statistics$/, "Warp states"],
  [/^Scheduler Statistics$/, "Scheduler"],
  [/^Instruction Statistics$/, "Instructions"],
  [/^Launch Statistics$/, "Launch"],
  [/^GPU and Memory Workload Distribution$/, "Distribution"],
  [/^NUMA Affinity$/, "NUMA"],
  [/ Statistics$/, ""],
];
export const brief = (title: string): string => shorter.reduce((t, [from, to]) => t.replace(from, to), clean(title));

const keyOf = (m: Message): string => `m-${m.source}-${m.title}`.replace(/\W+/g, "-");
export function toMessage(m: Message): void {
  const e = document.getElementById(keyOf(m));
  e?.scrollIntoView({ block: "center" });
  e?.focus({ preventScroll: true });
}

const icons = {
  ok: "circle-check",
  optimization: "triangle-alert",
  warning: "triangle-alert",
  error: "circle-x",
  none: "info",
} as const;

// Said is what a rule says, with the metrics that it rests on.
export function Said({ m, duration, all }: { m: Message; duration: number; all: Section }) {
  const focus = (m.tables ?? []).find(t => inRole(t, "metric") >= 0),
    saved = m.speedup ? (duration * m.speedup.percent) / 100 : 0;
  return (
    <aside
      role="note"
      class={"msg " + m.type}
      id={keyOf(m)}
      data-at={m.source}
      tabIndex={-1}
      aria-label={clean(m.title || m.source || "message")}
    >
      <Icon name={icons[m.type as keyof typeof icons] ?? "info"} />
      <div>
        <div class="mt1">
          <b>{titled(m.title, m.source)}</b>
          {m.speedup && (
            <span class="gain" title={`estimated ${m.speedup.scope} speed-up of ${m.speedup.percent.toPrecision(4)} %`}>
              {m.speedup.scope === "global" && saved > 0
                ? `saves ≤ ${time(saved)} · ${say(m.speedup.percent, "%")}`
                : `≤ ${say(m.speedup.percent, "%")} of this part`}
            </span>
          )}
        </div>
        <p>{reason(m.text)}</p>
        {focus && <Evidence table={focus} all={all} />}
        {m.tables
          ?.filter(t => t !== focus)
          .map((t, i) => (
            <details key={i}>
              <summary>{clean(t.title || "What this rests on")}</summary>
              <Grid table={t} id={`${m.source}.${i}`} keep />
            </details>
          ))}
        {!m.title && m.source ? null : <small class="mut">{clean(m.source)}</small>}
      </div>
    </aside>
  );
}

// Evidence are the metrics that a message rests on: each leads to where it stands.
export function Evidence({ table: t, all, launch }: { table: Table; all: Section; launch?: number }) {
  const [m, v, info] = [inRole(t, "metric"), inRole(t, "value"), column(t, "info")];
  return (
    <div class="ev">
      {t.rows.slice(0, 6).map((r, i) => {
        const name = String(r[m]),
          f = metricOf(all, name),
          value = typeof r[v] === "number" ? (r[v] as number) : (f?.value as number),
          unit = f?.unit ?? (/pct|_rate$/.test(name) ? "%" : "");
        const to = {
          page: "details",
          metric: name,
          at: "",
          ...(launch === undefined ? {} : { launch: String(launch) }),
        };
        return (
          <a
            key={i}
            class="chip"
            href={href(to)}
            title={`${name}\n${raw(value, unit)}${info >= 0 && r[info] ? "\n" + r[info] : ""}`}
            onClick={e => {
              if (e.ctrlKey || e.metaKey) return;
              e.preventDefault();
              set(to);
            }}
          >
            {clean(
              f?.label ??
                name
                  .replace(/\..*$/, "")
                  .replace(/^\w+?__/, "")
                  .replace(/_/g, " "),
            ).replace(/ \[%\]$/, "")}
            {typeof value === "number" && <b>{say(value, unit)}</b>}
          </a>
        );
      })}
    </div>
  );
}
