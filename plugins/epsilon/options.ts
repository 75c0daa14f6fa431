import type { Options as WireOptions } from '../_shared/chat-completions/options';

/** The options of the manifest. The effort reaches the driver as a field of each request. */
export interface Options extends WireOptions {
  api_key_env: string;
  reasoning_effort?: string;
}
