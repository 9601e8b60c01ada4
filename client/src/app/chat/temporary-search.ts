/** Query parameter that makes a new conversation temporary. */
export const temporarySearch = '?temporary';
