/** A page of `/metrics`, as far as the tests look at it. */
export interface Page {
  text: string;
  has(name: string): boolean;
  /** The value of the series with exactly these labels; 0 where there is none. */
  value(name: string, labels: Record<string, string>): number;
  /** The labels of each series. */
  labelsOf(name: string): Record<string, string>[];
}

export async function readPage(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(`${url}/metrics`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`/metrics: ${response.status} ${text}`);
  const series = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, found]) => [key!, found!]),
    ),
    value: Number(value),
  }));
  const isSame = (one: Record<string, string>, other: Record<string, string>) =>
    Object.keys(one).length === Object.keys(other).length && Object.keys(one).every((key) => one[key] === other[key]);
  return {
    text,
    has: (name) => series.some((each) => each.name === name),
    value: (name, labels) => series.find((each) => each.name === name && isSame(each.labels, labels))?.value ?? 0,
    labelsOf: (name) => series.filter((each) => each.name === name).map((each) => each.labels),
  };
}
