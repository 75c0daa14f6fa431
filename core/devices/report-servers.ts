import type { ServerActivity, ToolServer } from './tool-server';

/** A tool server of the open projects, as the control API, `mcp list` and the dashboard show it. */
export interface ServerReport {
  name: string;
  /** The roots of the projects that may use it; null: outside of projects. */
  projects: (string | null)[];
  /** Its command, or its address; null for one that waits for `drivebay trust`. */
  target: string | null;
  /** The file of its entry; null for one that waits. */
  file: string | null;
  /** Null: it waits for `drivebay trust`. */
  activity: ServerActivity | null;
}

interface ServersOfProject {
  root?: string;
  toolServers: readonly Pick<ToolServer, 'name' | 'target' | 'file' | 'activity'>[];
  /** The paths of those that wait. */
  heldServers: readonly string[];
}

/** One report for each entry of a file, however many projects may use it. */
export function reportServers(projects: readonly ServersOfProject[]): ServerReport[] {
  const reports = new Map<string, ServerReport>();
  for (const { root = null, toolServers, heldServers } of projects) {
    for (const { name, target, file, activity } of toolServers) {
      const key = JSON.stringify([file, name]);
      reports.set(key, joined({ name, projects: [root], target, file, activity }, reports.get(key)));
    }
    for (const path of heldServers) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      reports.set(JSON.stringify([root, path]), { name, projects: [root], target: null, file: null, activity: null });
    }
  }
  return [...reports.values()];
}

/** Each project has a device of its own for the same entry. */
function joined(report: ServerReport, earlier: ServerReport | undefined): ServerReport {
  const [one, other] = [earlier?.activity, report.activity];
  if (!earlier || !one || !other) return report;
  return {
    ...report,
    projects: [...new Set([...earlier.projects, ...report.projects])],
    activity: {
      running: one.running + other.running,
      users: one.users + other.users,
      tools: other.tools ?? one.tools,
      fault: other.fault ?? one.fault,
    },
  };
}
