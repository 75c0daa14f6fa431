/** Where the dashboard is on a gateway. */
export const DASHBOARD_PATH = '/dashboard';
