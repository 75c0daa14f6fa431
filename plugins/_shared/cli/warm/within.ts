/** Rejects with the complaint when the work takes too long. */
export async function within<Result>(work: Promise<Result>, limitMs: number, complaint: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${complaint} after ${limitMs / 1000} s`)), limitMs).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
