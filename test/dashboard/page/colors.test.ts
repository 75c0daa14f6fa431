import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(__dirname, '../../../core/dashboard/page/styles/colors.css'), 'utf8');
const [light = '', dark = ''] = css
  .split('@media (prefers-color-scheme: dark)')
  .map((part) => part.split('@media')[0]!);

const colors = (part: string): Record<string, string> =>
  Object.fromEntries([...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]));

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

// WCAG 2.2, level AA: 4.5 for text, 3 for what is drawn.
describe.each([
  ['light', light],
  ['dark', dark],
])('the %s colours', (_, part) => {
  const all = colors(part);

  test.each(['text', 'muted', 'accent', 'ok', 'bad', 'warn'])('%s is legible on every ground', (name) => {
    const weak = ['page', 'surface', 'sunk'].filter((ground) => contrast(all[name]!, all[ground]!) < 4.5);
    expect(weak).toEqual([]);
  });

  test('warnings and failures are legible on theirs', () => {
    expect(contrast(all.text!, all['warn-soft']!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(all.text!, all['bad-soft']!)).toBeGreaterThanOrEqual(4.5);
  });

  test.each([1, 2, 3, 4, 5])('series %i of a chart is seen', (series) => {
    expect(contrast(all[`series-${series}`]!, all.surface!)).toBeGreaterThanOrEqual(3);
  });
});
