const keyOf = (app: string) => `knowhow-embed:${app}`;

interface Place {
  /** Of a conversation. */
  id: string;
  /** The id of whose it is. */
  user: string;
}

/** The conversation that this user had open in the frame of an app, on the page before. */
export function keptPlace(app: string, user: string): { id: string; isFresh: false } | undefined {
  const [id, owner] = (sessionStorage.getItem(keyOf(app)) ?? '').split(' ');
  return id && owner === user ? { id, isFresh: false } : undefined;
}

export function keepPlace(app: string, place: Place | undefined): void {
  if (place) {
    sessionStorage.setItem(keyOf(app), `${place.id} ${place.user}`);
  } else {
    sessionStorage.removeItem(keyOf(app));
  }
}
