/** What every PDF begins with, in base64. */
const PDF = 'JVBERi';
/** A `data:` URL, and addresses of other kinds. */
const URL_LIKE = /^[a-z][a-z0-9+.-]*:/i;

/** The content of a file as drivers get it. Clients send base64 with and without its media type. */
export function asDataUrl(data: string): string {
  if (URL_LIKE.test(data)) return data;
  return `data:application/${data.startsWith(PDF) ? 'pdf' : 'octet-stream'};base64,${data}`;
}
