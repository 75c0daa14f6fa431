import type { Options as WireOptions } from '../_shared/chat-completions/options';

/** The options of the manifest. Thinking budget and effort reach the driver as fields of each request. */
export interface Options extends WireOptions {
  thinking_budget?: number;
  reasoning_effort?: string;
}
