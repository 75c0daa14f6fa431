/** The options of the manifest. Thinking budget and effort reach the driver as fields of each request. */
export interface Options {
  base_url: string;
  api_key_env: string;
  thinking_budget?: number;
  reasoning_effort?: string;
}
