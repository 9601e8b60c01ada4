const keyOf = (app: string) => `knowhow-embed:${app}`;

interface Place {
  /** ID of the conversation. */
  id: string;
  /** ID of its user. */
  user: string;
}

/** The conversation that this user last opened in the frame of an app, restored on the next page. */
export function readLastConversation(
  app: string,
  user: string,
): { id: string; isFresh: false } | undefined {
  const [id, owner] = (sessionStorage.getItem(keyOf(app)) ?? '').split(' ');
  return id && owner === user ? { id, isFresh: false } : undefined;
}

export function storeLastConversation(app: string, place: Place | undefined): void {
  if (place) {
    sessionStorage.setItem(keyOf(app), `${place.id} ${place.user}`);
  } else {
    sessionStorage.removeItem(keyOf(app));
  }
}
