import { plot } from './plot.mjs';

const STYLE =
  'body{font:15px sans-serif;max-width:900px;margin:2em auto;color:#1f2328}td{padding:2px 12px 2px 0}' +
  'svg text{font-size:11px;fill:#59636e}.grid{stroke:#d1d9e0}.mark{stroke:#d1242f;stroke-dasharray:3 3}' +
  '.bad{color:#d1242f}.good{color:#1a7f37}';

const escape = (text) => String(text).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The whole report, in one page that needs nothing else. */
export function makeReport({ rules, figures, samples, kills }) {
  const verdicts = rules.map(({ name, found }) => {
    const faults = found.map((fault) => `<li>${escape(fault)}</li>`).join('');
    return `<li class="${found.length > 0 ? 'bad' : 'good'}">${name}<ul>${faults}</ul></li>`;
  });
  const rows = figures.map(([name, value]) => `<tr><td>${escape(name)}</td><td>${escape(value)}</td></tr>`).join('');
  const series = (names) =>
    Object.entries(names).map(([name, field]) => ({
      name,
      points: samples.filter((each) => each[field] >= 0).map((each) => ({ x: each.seconds, y: each[field] })),
    }));
  const rate = samples.slice(1).map((each, index) => ({
    x: each.seconds,
    y: (each.answered - samples[index].answered) / (each.seconds - samples[index].seconds),
  }));
  const plots = [
    plot({
      ...{ title: 'Memory', unit: 'MB' },
      series: series({ resident: 'resident', heap: 'heap', 'live, after a collection of garbage': 'live' }),
    }),
    plot({ title: 'Latency of a chat', unit: 'ms', series: series({ p50: 'latencyP50', p99: 'latencyP99' }) }),
    plot({ title: 'Delay of the event loop', unit: 'ms', series: series({ p50: 'loopP50', p99: 'loopP99' }) }),
    plot({ title: 'Answers of a second', unit: 'steady house', series: [{ name: 'answers', points: rate }] }),
    plot({ title: 'Open files', unit: 'count', series: series({ 'files and sockets': 'openFiles' }), marks: kills }),
  ];
  const note = 'The dashed lines are the moments at which the daemon of the other house was killed.';
  return (
    `<!doctype html><meta charset="utf-8"><title>Soak</title><style>${STYLE}</style><h1>Soak</h1><ul>${verdicts.join('')}</ul>` +
    `<table>${rows}</table>${plots.join('')}<p>${note}</p>`
  );
}
