import type { DriverContext } from 'drivebay/plugin';
import type { HttpOptions } from '../_shared/http/http-driver';
import { ChatCompatDriver } from './chat-compat-driver';

export default function createDriver(context: DriverContext<HttpOptions>): ChatCompatDriver {
  return new ChatCompatDriver(context);
}
