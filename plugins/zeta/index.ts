import type { DriverContext } from 'drivebay/plugin';
import type { HttpOptions } from '../_shared/http/http-driver';
import { ZetaDriver } from './zeta-driver';

export default function createDriver(context: DriverContext<HttpOptions>): ZetaDriver {
  return new ZetaDriver(context);
}
