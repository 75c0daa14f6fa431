import { ClientProject } from '../clients/client-project';
import { ControlClient } from '../client/control-client';
import type { ProjectInfo } from '../control/protocol';
import type { OpenedProject } from '../project/opened-project';
import type { McpHost } from './mcp-host';
import { isBelow, realFolder } from './roots';

/** The machine of an MCP server at a gateway: it serves the project of the gateway, in the daemon itself. */
export class DaemonHost implements McpHost {
  readonly howToAllow = 'start the gateway with the folder: drivebay mcp serve --http --root FOLDER';
  readonly bounds: readonly string[];
  readonly fileBounds: readonly string[];
  readonly client: string | undefined;
  private readonly control: ControlClient;

  /** `depth`: how many agents are between a user and the client. `client`: whose key it has; absent: that of the owner. */
  constructor(
    private readonly opened: Pick<OpenedProject, 'ref' | 'project'>,
    { roots, socket, depth, client }: { roots: readonly string[]; socket: string; depth: number; client?: string },
  ) {
    // A key of a gateway is no key to the whole machine.
    this.bounds = roots.length > 0 ? roots : [opened.project.root ?? opened.ref.workingDirectory];
    // The key of a client is for models. Which files it may send somewhere else, the owner says.
    this.fileBounds = client === undefined ? this.bounds : roots;
    this.client = client;
    this.control = new ControlClient(socket, depth);
  }

  /** The key of a gateway shows the work of its project, and the key of a client the work of that client. */
  sees({ workingDirectory, client }: Parameters<McpHost['sees']>[0]): boolean {
    if (this.client !== undefined && client !== this.client) return false;
    const own = [...this.bounds, this.opened.ref.workingDirectory];
    // A link in a folder of the project may lead out of it.
    const real = realFolder(workingDirectory)[0] ?? workingDirectory;
    return [...own, ...own.flatMap(realFolder)].some((folder) => isBelow(folder, real));
  }

  async open() {
    const { control: client } = this;
    return { client, project: await client.get<ProjectInfo>('/v1/project', this.ref()) };
  }

  allowed() {
    return this.client === undefined ? undefined : new ClientProject(this.opened.project, this.client).allowed;
  }

  ref(workingDirectory = this.opened.ref.workingDirectory) {
    return { ...this.opened.ref, workingDirectory };
  }
}
