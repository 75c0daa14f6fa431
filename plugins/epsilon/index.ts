import type { DriverContext } from 'drivebay/plugin';
import type { HttpOptions } from '../_shared/http/http-driver';
import { EpsilonDriver } from './epsilon-driver';

export default function createDriver(context: DriverContext<HttpOptions>): EpsilonDriver {
  return new EpsilonDriver(context);
}
