import type { AdminToolSource } from '@knowhow/shared/config/admin-tools';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { ToolLabel } from '@knowhow/shared/config/tools';
import type { Caller } from '../identity/index.ts';
import type { SkillView } from '../skills/index.ts';
import type { Tool } from './tool.ts';

/** A provider of tools, independent of the turn. */
export interface ToolSource {
  /** Letters, digits, `-` and `_`: the prefix of its tools' IDs. */
  id: string;
  /** Display name. */
  title: string;
  /** Key of its translated title in `locales`. */
  titleKey?: ToolLabel['sourceKey'];
  /** Model-facing names of `mcp` tools include the source's ID; built-in ones do not. */
  kind: AdminToolSource['kind'];
  /**
   * Tools this caller could have in an app, before permissions are applied. Never throws or blocks
   * for long: unreachable sources return known tools or none. The same array until something
   * changes.
   */
  list(access: ToolAccess): Promise<readonly Tool[]>;
  /** All tools an admin decides on, regardless of permissions. */
  listAll(): Promise<readonly Tool[]>;
  /** Status for admins. */
  state(): SourceState;
  /** Accepts a `changed` tool in its current version. */
  accept?(name: string): Promise<void>;
  /** Reconnects; resolves with the outcome known. */
  reconnect?(): Promise<void>;
}

/** The caller for whom tools are listed, and the context. */
export interface ToolAccess {
  caller: Caller;
  app: AppConfig;
  view: SkillView;
}

export interface SourceState {
  status: AdminToolSource['status'];
  /** The reason, and what to do. */
  message?: string;
  /** ISO 8601, UTC. */
  since?: string;
}

/** A tool as it may be offered to a model. */
export interface OfferedTool {
  /** `<source>/<name>` */
  id: string;
  /** Model-facing name. */
  name: string;
  source: ToolSource;
  tool: Tool;
}
