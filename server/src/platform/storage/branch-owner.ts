/**
 * Owner of the conversations that hold archived branches. It is no user, so searches never find them.
 */
export const branchOwner = '-';
