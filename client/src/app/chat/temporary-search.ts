/** In the address of a new conversation: it is to be a temporary one. */
export const temporarySearch = '?temporary';
