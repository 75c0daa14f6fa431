/** The options that every driver of this wire reads. */
export interface Options {
  base_url: string;
  api_key_env?: string;
}
