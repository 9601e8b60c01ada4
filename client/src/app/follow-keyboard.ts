/** Keeps the page as high as what is seen of it, so that the composer stays above a phone's keyboard. */
export function followKeyboard(): void {
  const viewport = window.visualViewport;
  viewport?.addEventListener('resize', () => {
    // Zoomed in, the seen part is smaller for another reason.
    const height = viewport.scale > 1 ? '100dvh' : `${viewport.height}px`;
    document.documentElement.style.setProperty('--app-height', height);
  });
}
