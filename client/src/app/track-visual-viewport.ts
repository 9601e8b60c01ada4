/** Keeps the page as high as the visual viewport, so that the composer stays above an on-screen keyboard. */
export function trackVisualViewport(): void {
  const viewport = window.visualViewport;
  viewport?.addEventListener('resize', () => {
    // While zoomed in, the visual viewport is smaller for another reason.
    const height = viewport.scale > 1 ? '100dvh' : `${viewport.height}px`;
    document.documentElement.style.setProperty('--app-height', height);
  });
}
