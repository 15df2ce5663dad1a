"""Lane programs on the processor.

engine     operations interpreted over wide machine words (lanes.h, kernel.h)
native     the same as compiled code, where a C compiler is found (compiling: the process that it runs in)
spread     planes as rows of bytes, one for each lane, and what their games brought
vector     the vector environment
"""
