import type { DriverContext } from 'drivebay/plugin';
import { ChatCompatDriver } from './chat-compat-driver';
import type { Options } from './options';

export default function createDriver(context: DriverContext<Options>): ChatCompatDriver {
  return new ChatCompatDriver(context);
}
