/** Waits for what happens soon, however busy the machine is; rejects when it does not. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It never happened.')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
