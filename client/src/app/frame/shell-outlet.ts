/** What the frame offers to the page inside it. */
export interface ShellOutlet {
  /** Whether the sidebar is beside the page. */
  hasSidebar: boolean;
  openSidebar: () => void;
}
