const SIZE = { width: 860, height: 240, left: 60, bottom: 24, top: 10, right: 10 };
const COLOURS = ['#1f6feb', '#d1242f', '#1a7f37', '#9a6700'];

/** A drawing of values over seconds. `series`: a name and points for each; `marks`: seconds at which something happened. */
export function plot({ title, unit, series, marks = [] }) {
  const { width, height, left, bottom, top, right } = SIZE;
  const points = series.flatMap((each) => each.points);
  const mostX = Math.max(1, ...points.map(({ x }) => x), ...marks);
  const mostY = roundUp(Math.max(0, ...points.map(({ y }) => y)));
  const toX = (x) => (left + (x / mostX) * (width - left - right)).toFixed(1);
  const toY = (y) => (height - bottom - (y / mostY) * (height - bottom - top)).toFixed(1);
  const lines = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const y = toY(part * mostY);
    const label = `<text x="${left - 6}" y="${y}" dy="4" text-anchor="end">${+(part * mostY).toPrecision(3)}</text>`;
    return `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" class="grid"/>${label}`;
  });
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    return `<text x="${toX(part * mostX)}" y="${height - 6}" text-anchor="middle">${Math.round(part * mostX)} s</text>`;
  });
  const curves = series.map(({ points: each }, index) => {
    const path = each.map(({ x, y }) => `${toX(x)},${toY(y)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${COLOURS[index]}" stroke-width="1.5"/>`;
  });
  const moments = marks.map(
    (x) => `<line x1="${toX(x)}" x2="${toX(x)}" y1="${top}" y2="${height - bottom}" class="mark"/>`,
  );
  const names = series.map(({ name }, index) => `<span style="color:${COLOURS[index]}">${name}</span>`).join(', ');
  const drawing = [...lines, ...times, ...moments, ...curves].join('\n');
  return `<h2>${title} (${unit})</h2><p>${names}</p><svg viewBox="0 0 ${width} ${height}" width="${width}">${drawing}</svg>`;
}

/** To one, two or five, and zeros: a number that reads well at the end of an axis. */
function roundUp(value) {
  if (value <= 0) return 1;
  const ten = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * ten).find((step) => step >= value);
}
