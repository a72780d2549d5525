package Shop;
sub total {
    return 1;
}
