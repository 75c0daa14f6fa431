export interface DataUrl {
  mediaType: string;
  /** Base64, as it came. */
  data: string;
}

const HEAD = /^data:([^;,]*)((?:;[^;,]*)*);base64$/i;

/** The parts of a `data:` URL with base64 content; undefined for everything else. */
export function readDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',');
  // Only the head is looked at: the rest may have megabytes.
  const mediaType = comma < 0 ? undefined : HEAD.exec(url.slice(0, comma))?.[1];
  return mediaType ? { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) } : undefined;
}
