import { ControlClient } from '../client/control-client';
import { projectInfoSchema } from '../control/protocol';
import type { OpenedProject } from '../project/opened-project';
import type { McpHost } from './mcp-host';
import { isBelow, realFolder } from './roots';

/** The machine of an MCP server at a gateway: it serves the project of the gateway, in the daemon itself. */
export class DaemonHost implements McpHost {
  readonly howToAllow = 'start the gateway with the folder: drivebay mcp serve --http --root FOLDER';
  readonly bounds: readonly string[];
  private readonly client: ControlClient;

  /** `depth`: how many agents are between a user and the client. */
  constructor(
    private readonly opened: Pick<OpenedProject, 'ref' | 'project'>,
    { roots, socket, depth }: { roots: readonly string[]; socket: string; depth: number },
  ) {
    // A key of a gateway is no key to the whole machine.
    this.bounds = roots.length > 0 ? roots : [opened.project.root ?? opened.ref.workingDirectory];
    this.client = new ControlClient(socket, depth);
  }

  /** A key of a gateway shows the work of its project, not that of the whole machine. */
  sees(workingDirectory: string): boolean {
    const own = [...this.bounds, this.opened.ref.workingDirectory];
    return [...own, ...own.flatMap(realFolder)].some((folder) => isBelow(folder, workingDirectory));
  }

  async open() {
    const { client } = this;
    return { client, project: await client.get('/v1/project', projectInfoSchema, this.ref()) };
  }

  ref(workingDirectory = this.opened.ref.workingDirectory) {
    return { ...this.opened.ref, workingDirectory };
  }
}
