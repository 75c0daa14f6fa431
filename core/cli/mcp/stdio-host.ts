import { versionNotice } from '../../daemon/client/agreement';
import type { McpHost } from '../../daemon/mcp-server/mcp-host';
import { formatProblem } from '../../errors';
import { bringKeys, projectRef } from '../daemon/project-at-daemon';
import { findDaemonHere, withDaemon } from '../daemon/running-daemon';
import { workingDirectory } from '../here';
import { printNote } from '../terminal/print';

/** The machine of an MCP server on stdin and stdout: that of the client, in the folder where the client started it. */
export class StdioHost implements McpHost {
  readonly howToAllow = 'start the server with the folder: drivebay mcp serve --root FOLDER';
  private readonly told = new Set<string>();
  private readonly folder = workingDirectory();

  /** `bounds`: the folders of `--root`. */
  constructor(
    private readonly options: { project: boolean },
    readonly bounds: readonly string[] | undefined,
  ) {}

  get fileBounds() {
    return this.bounds;
  }

  /** Each time anew: the daemon may have been restarted since. */
  async open() {
    return withDaemon(await findDaemonHere(), async (daemon) => {
      const notice = versionNotice(daemon.info);
      if (notice !== undefined) this.tell(`note: ${notice}`);
      const project = await bringKeys(daemon, this.ref());
      for (const warning of project.warnings) this.tell(`warning: ${formatProblem(warning)}`);
      return { client: daemon.client, project };
    });
  }

  /** The client is a program of the user, who may see them all. */
  sees(): boolean {
    return true;
  }

  allowed(): undefined {
    return undefined;
  }

  ref(folder = this.folder) {
    return projectRef(this.options, folder);
  }

  /** Clients show what a server writes to stderr, if at all, as a log. */
  private tell(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    printNote(line);
  }
}
