/** Where a command writes, and where it looks when no PATH is given. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** The folder of skills of this installation. */
  skillsFolder(): string;
}
