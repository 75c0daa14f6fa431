import type { ChatRequest } from '../contract/api';
import type { LlmDevice } from './llm-device';

/** Something that agents can use: what it is, what it takes, and what it does. */
export interface Device {
  /** `/dev/<kind>/<name>`. */
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly schema: DeviceSchema;
  /**
   * Does what a model asks for and resolves with the text that the model is told. Rejects with a DeviceInputError for
   * arguments that the schema does not allow.
   */
  call(input: unknown, caller: DeviceCaller): Promise<string>;
}

/** What a model is told of a device. */
export interface DeviceSchema {
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Record<string, unknown>;
}

/** On whose behalf a device works. */
export interface DeviceCaller {
  /** Asks the model behind a device, within the limits of the caller, and resolves with its answer. */
  chat(device: LlmDevice, request: ChatRequest): Promise<string>;
}

/** A model got the arguments wrong; the message is for the model. */
export class DeviceInputError extends Error {
  readonly code = 'device_input';
  constructor(message: string) {
    super(message);
    this.name = 'DeviceInputError';
  }
}
