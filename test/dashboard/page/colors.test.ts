import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(__dirname, '../../../core/dashboard/page/styles/colors.css'), 'utf8');
const colors = [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];

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
  ['light', 2],
  ['dark', 3],
])('the %s colours', (_, at) => {
  const all = Object.fromEntries(colors.map((match) => [match[1]!, match[at]!]));

  test.each([
    ...['text', 'muted', 'accent', 'ok', 'bad', 'warn'].map(
      (name) => [name, ['page', 'surface', 'sunk'], 4.5] as const,
    ),
    ['text', ['warn-soft', 'bad-soft'], 4.5] as const,
    ...[1, 2, 3, 4, 5].map((series) => [`series-${series}`, ['surface'], 3] as const),
  ])('%s can be seen on %j', (name, grounds, least) => {
    expect(grounds.filter((ground) => contrast(all[name]!, all[ground]!) < least)).toEqual([]);
  });
});
