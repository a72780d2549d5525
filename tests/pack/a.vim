function! Total(x)
  return a:x
endfunction
