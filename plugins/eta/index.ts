import type { DriverContext } from 'drivebay/plugin';
import type { HttpOptions } from '../_shared/http/http-driver';
import { EtaDriver } from './eta-driver';

export default function createDriver(context: DriverContext<HttpOptions>): EtaDriver {
  return new EtaDriver(context);
}
