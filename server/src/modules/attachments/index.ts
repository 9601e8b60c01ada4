/** What other modules may import from `attachments`. */
export { offeredResources, type ResourceGate } from './attach-resource.ts';
export { toPictureUpload } from './pictures/picture-upload.ts';
