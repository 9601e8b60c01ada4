/** The context that the frame provides to the page inside it. */
export interface ShellOutlet {
  /** Whether the sidebar is shown next to the page. */
  hasSidebar: boolean;
  openSidebar: () => void;
}
